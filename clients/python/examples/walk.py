"""Renders the demo humanoid in the middle of a step, and prints the position of its head.

    python3 examples/walk.py [ADDRESS]
"""
import sys

import posed

client = posed.Client(sys.argv[1] if len(sys.argv) > 1 else None)
step = {"clip": "Walk", "phase": 0.25}

picture = client.frame("humanoid", step, width=256, height=256, background="#ffffff")
print("wrote", picture.save("walk.png"))

joints = client.pose("humanoid", step, space="world")["joints"]
head = next(joint for joint in joints if joint["name"] == "Head")
print("the head is at", [round(number, 3) for number in head["world"][12:15]])

vertices = client.vertices("humanoid", step, attributes=["position", "normal"])
highest = max(y for _, y, _ in vertices.position.tolist())
print(f"the highest of {vertices.vertices} vertices is at {highest:.3f}")
