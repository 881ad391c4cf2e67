"""A policy in one small file, and the program that both servers hold: lists, look-ups and gates.

- language: the file, read line by line
- gates: conditions as sums and products of bits
- compiled: the program, its digest and its shape
- explain: the program in words
"""
