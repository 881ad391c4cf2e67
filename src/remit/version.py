"""The version, without reading the metadata of the installed package."""

VERSION = "0.2.0"
