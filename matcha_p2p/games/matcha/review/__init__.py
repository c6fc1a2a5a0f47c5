"""What others and the players make of a verified game: values, texts, pictures, judgements."""
