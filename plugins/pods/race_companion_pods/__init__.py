"""Pods: seats of their own on a USB cable, each with a microcontroller behind it.

`wire` turns bytes into messages, `link` keeps a conversation going in spite of noise and pulled
plugs; neither knows ports, threads or clocks. `driver` does.
"""
