"""A verified game for programs and people: values, texts, judgements."""
