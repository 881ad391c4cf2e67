"""A policy file, and the program that gateway and executor evaluate: lists, look-ups and conditions.

- language: the file, read line by line
- compiled: the program, its digest and its shape
- decision: what it decides about a request
- explain: a description of the program for people
"""
