"""Who a friend is: assignment under the anti-cloning cap, and the frozen style that follows from it."""
