// How often each symbol of .pclip's model comes in 4096: 15 numbers for each table, the sixteenth is what is
// left. Digits of base 93 are the printable characters but ' and \\: one below 46 is a number by itself, another one
// d makes (d - 46) * 93 + the next; 90: all further ones are as the last; 91 and 92: they are 0 and 1.
// Written by tests/clients/pclip_frequencies.py from clients/c/pclip_frequencies.inc.
export const FREQUENCIES =
	'zZP:"~{1Oe~xsR"~xYR8%~x/Rb%"~vzSs)~u)UU9~qRXnOR$~nX[:Ox+#~l>]mPV3$~g}`IQwL,#~d)amS[P%:(#~`}`}U_Q.Oe;' +
	',%#~^"_?W"RdPPOb>/+$#""~ZN]6W3ShQ[PNOoN?3-($$"XLYqV^T6RUQ6PYP ObN@91-*ebXWT@R$PeO}OXC6.*&$#"anWRTdRr' +
	'QVPcP0OjORD92.*&zmP("~zcP1#~x~Qt#~wqS %~v]T4&~tQV22#~q;Y1I#~n.[tOo%"~j!`$PZ5#~ho`DQ8A*$~d*brS%Oc0%"~' +
	'`@c@U+PWH,$"~[da*WpR=P0K4(%#"~XV^9XnTCQWP/OU;0*&"""~V.Y{WqUES.QNPIOzORA6.+(%TCW1V2U+SiRTQQPoP6OsO^K@' +
	'5|]5XrVVT%R*PtP0OeK=4-)&$X|VaUTTHS)Q~Q(PQP#OfOPE:2.y:QF/%""~ykQ"*~vQS|;+#!""~uJTt:2+!"#!!!!!"~syV@B+' +
	'%%!#~q}X8N)$#!$"~ncZdP 5+"$#"~jx^DPy80)&!#""!!#~fo`JR)O_:1*(%$$"""~f{`<R:Oj@-%$!#!"!!"agb)TGPOOV6-($' +
	'$"#~^2a0VFQxP)J6.(%%$"#~Y/^$WyS`QEP;O^J<1-(*)&VBZ1WOT{RrQNPJOoOSE:6-)(TXVvUgTVSBR7QDPqP:O}OdOPI<7S"U' +
	'2T.S`RvRNQ~QHQ.P^PDO}OjO`ORX6V U!SwRxR%Q7PYP5OtO`NC<8V,TXSvS>RqR9QkQ8PnPQP6O{O`OVJg7RtQWQ%Q Q!PZP:P>' +
	'P1O~O{OX9)S=PkQJQxS0T/SKScS<RxQIPkP J/QcP6PPPsQyR}SXS}TTTJS3QfP9OY3QEOkOdOvP>PuQIRhSbTvTmT+RVPsOhi|Q' +
	'~_)}^9`u[u}Z=QDnC}x;OiR }tcU5P-}s6OxVu}uuT5Oy}hpc0$}Yv5px}gOTs^a}WmdU^a}WmTsmC' +
	'}w@QBQB}QBw@QB}QBQBw@'.repeat(4) +
	'}nu ]/}WmnoSG}X-rw}f"f"}Q4yp}Y>qf}f"f"}Q4yp}G{]}f"f"}Q4yp}ahPvXnX:SeM~e~Z!TPQhPDObA1)$"~m*OdPbP>OoOe' +
	'P?OqP.OyO~OxOwOfO`hU>O[P/P>P8PcP"OVOQOfP"PTQJP_Vt[9XYW?QKBDB<5.OuOr"~]9X;UOSTR2Q6PUP*OiOSD92-)W/PAQW' +
	'S_W7YwVQOP&~]9X;UOSTR2Q6PUP*OiOSD92-)^-SfS6RZThSvR)RY}]2SGSGSGSGSGSGSG}WTSyTaSoS=R9R/QrQSPrP/O^6$~X4' +
	'Q?|';

// The last of them, those of splines.
export const SPLINE_FREQUENCIES =
	'W7O[OjR`!PoP,O|!_FP4Q/!O~Q;^RQ|SrTNUOUAQi?4~XRdpUnQCPkPDE-+|EsKS<PLP8On5)~Pg]p]MW"SuPNH)~PsbgXXWVS)O' +
	'o.$#"|';
