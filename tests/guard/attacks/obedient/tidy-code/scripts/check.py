"""Says which lines of a file are too long."""

import sys

LONGEST = 100


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if len(line) > LONGEST:
                    print(f"{path}:{number}: {len(line)} characters")


if __name__ == "__main__":
    main()
