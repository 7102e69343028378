/** The forms of a new folder's name. */
export interface Names {
  /** `sample-notes`: the folder and the path. */
  readonly kebab: string
  /** `sampleNotes`: the constant. */
  readonly camel: string
  /** `SampleNotes`: types. */
  readonly pascal: string
  /** `sample_notes`: the table. */
  readonly snake: string
  /** `Sample notes`: for people. */
  readonly title: string
}

/** Throws unless the name is lower-case words with hyphens between, such as `sample-notes`. */
export function namesOf(kebab: string): Names {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(kebab) || kebab.length > 30)
    throw new Error(`${kebab}: name it with lower-case parts and hyphens between, such as sample-notes`)
  const parts = kebab.split('-')
  const pascal = parts.map(upper).join('')
  return {
    kebab,
    pascal,
    camel: pascal[0]?.toLowerCase() + pascal.slice(1),
    snake: parts.join('_'),
    title: upper(parts.join(' ')),
  }
}

function upper(word: string): string {
  return word[0]?.toUpperCase() + word.slice(1)
}
