"""Names of the methods, in the order of every table."""

METHODS = ("RLP", "FM_RLP", "RLP-P", "FM_RLP-P")
MINIMIZED = ("FM_RLP", "FM_RLP-P")
LIMITED = "limited (9)"
