/* Functions that are compiled once more for AVX2, which the processor is asked for: the same
 * operations on more numbers at once, and so the same results. Internal to the decoder. */
#pragma once

/* PCLIP_NO_SSE2 is for tests of the plain code. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(PCLIP_NO_SSE2)
#define PCLIP_AVX2 __attribute__((target("avx2")))
#define PCLIP_HAS_AVX2() __builtin_cpu_supports("avx2")
#endif

#ifdef __GNUC__
#define PCLIP_INLINE static inline __attribute__((always_inline))
#else
#define PCLIP_INLINE static inline
#endif
