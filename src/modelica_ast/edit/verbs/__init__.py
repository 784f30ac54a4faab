"""The verbs: what a document can be asked to change, each written on the editor of trees."""
