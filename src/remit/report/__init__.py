"""How is it shown? Text, JSON, SARIF."""
