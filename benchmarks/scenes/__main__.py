"""Run the scene renderer's command line."""

from benchmarks.scenes.cli import main

if __name__ == "__main__":
    main()
