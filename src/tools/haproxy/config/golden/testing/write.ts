import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { editText } from '../../edits.ts'
import { cases } from '../cases.ts'

// Rewrites the golden files; the reviewer judges the differences.
const here = new URL('../', import.meta.url)
mkdirSync(new URL('edited/', here), { recursive: true })
for (const { name, base, edit } of cases)
  writeFileSync(
    new URL(`edited/${name}.cfg`, here),
    editText(readFileSync(new URL(`base/${base}.cfg`, here), 'utf8'), edit),
  )
