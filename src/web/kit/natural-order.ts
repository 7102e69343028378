const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares texts as people read them: web2 comes before web10, upper and lower case are alike. */
export const naturally = (one: string, other: string): number => collator.compare(one, other)
