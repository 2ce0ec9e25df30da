"""All faults, and the rules that no seeded asset shows."""
import faults_of_clips  # noqa: F401
import faults_of_meshes  # noqa: F401
import faults_of_motion  # noqa: F401
import faults_of_rigs  # noqa: F401
import faults_of_surfaces  # noqa: F401
import faults_of_versions  # noqa: F401
from seeding import FAULTS

NOT_SHOWN = {
    "clip/rate": "reported and never judged: there is no finding",
    "motion/smoothness": "reported and never judged: there is no finding",
}

__all__ = ["FAULTS", "NOT_SHOWN"]
