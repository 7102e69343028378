import type { Names } from './names.ts'

/** A text to insert after the first match of a pattern. */
export interface Insertion {
  readonly after: RegExp
  readonly text: string
}

/** Adds a new area to src/app/areas.ts. */
export const areaRegistration = ({ kebab, camel }: Names): readonly Insertion[] => [
  { after: /^/, text: `import { ${camel} } from '../areas/${kebab}/index.ts'\n` },
  { after: /export const areas\b[^=]*= \[[^\]]*?(?=,?\s*\])/, text: `, ${camel}` },
]

/** Adds a new tool to src/tools/index.ts. */
export const toolRegistration = ({ kebab, camel }: Names): readonly Insertion[] => [
  { after: /$/, text: `export { ${camel} } from './${kebab}/index.ts'\n` },
]

/** Inserts the texts one after another; throws if the file no longer contains a pattern. */
export function withInsertions(file: string, before: string, insertions: readonly Insertion[]): string {
  return insertions.reduce((text, { after, text: inserted }) => {
    if (!after.test(text))
      throw new Error(`${file} does not contain ${after} any more; register the new folder by hand`)
    return text.replace(after, (found) => `${found}${inserted}`)
  }, before)
}
