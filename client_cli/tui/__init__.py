"""Full screen: pure state and views, and a thin Textual shell around them."""
