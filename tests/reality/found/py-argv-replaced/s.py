import argparse
import os


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    os.remove(parser.parse_args().file)
