"""Parameters of models for ROS 2: files, a launch file, and values that were tuned in them."""
