"""What does an update change? What is remembered of a skill, how two memories differ, and the lock file that holds them."""
