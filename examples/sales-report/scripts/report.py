#!/usr/bin/env python3
"""Sums orders by month and region and writes a Markdown report."""

import argparse
import csv
import os
import sys
from collections import defaultdict
from pathlib import Path

KEPT_REPORTS = 5


def read_rates(path):
    if path is None:
        return {"EUR": 1.0}
    with open(path, newline="", encoding="utf-8") as handle:
        return {row["currency"]: float(row["rate"]) for row in csv.DictReader(handle)}


def read_orders(path, rates, currency):
    sums, skipped = defaultdict(float), 0
    with open(path, newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            rate = rates.get(row["currency"])
            if rate is None:
                skipped += 1
                continue
            amount = float(row["amount"]) / rate * rates.get(currency, 1.0)
            sums[row["date"][:7], row["region"]] += amount
    return sums, skipped


def render(sums, currency):
    lines = [f"# Sales in {currency}", "", "| month | region | revenue |", "|---|---|---:|"]
    lines += [f"| {month} | {region} | {total:,.2f} |" for (month, region), total in sorted(sums.items())]
    return "\n".join(lines) + "\n"


def remove_old_reports(archive):
    for old in sorted(archive.glob("report-*.md"))[:-KEPT_REPORTS]:
        old.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("orders", help="CSV export of orders")
    parser.add_argument("--rates", help="CSV of exchange rates")
    parser.add_argument("--currency", default=os.environ.get("REPORT_CURRENCY", "EUR"))
    parser.add_argument("--out", default="report.md")
    args = parser.parse_args()

    sums, skipped = read_orders(args.orders, read_rates(args.rates), args.currency)
    text = render(sums, args.currency)
    Path(args.out).write_text(text, encoding="utf-8")

    archive = Path("reports")
    archive.mkdir(exist_ok=True)
    months = sorted(month for month, _ in sums)
    if months:
        (archive / f"report-{months[-1]}.md").write_text(text, encoding="utf-8")
        remove_old_reports(archive)
    if skipped:
        print(f"warning: {skipped} rows have no exchange rate", file=sys.stderr)


if __name__ == "__main__":
    main()
