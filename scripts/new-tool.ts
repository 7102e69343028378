import { parseArgs } from 'node:util'
import { finish, makeFolder, register } from './new-folder.ts'
import { apiToolFiles } from './templates/api-tool.ts'
import { editedToolFiles } from './templates/edited-tool.ts'
import { namesOf } from './templates/names.ts'
import { ownedToolFiles } from './templates/owned-tool.ts'
import { toolRegistration } from './templates/registrations.ts'

// npm run new-tool -- --owned | --edited | --api NAME: a tool whose file the panel renders, whose file people edit too, or that is driven
// through HTTP; registered in src/tools/index.ts.
const forms = { owned: ownedToolFiles, edited: editedToolFiles, api: apiToolFiles }
const is = { type: 'boolean' } as const
const { values, positionals } = parseArgs({
  options: { owned: is, edited: is, api: is },
  allowPositionals: true,
})
const chosen = (['owned', 'edited', 'api'] as const).filter((form) => values[form] === true)
const [form] = chosen
if (form === undefined || chosen.length > 1)
  throw new Error('give one of --owned, --edited and --api, and the name of the tool')
const names = namesOf(positionals[0] ?? '')
const folder = `src/tools/${names.kebab}`

makeFolder(folder, forms[form](names))
register('src/tools/index.ts', toolRegistration(names))
finish([folder, 'src/tools/index.ts'])
process.stdout.write(`${folder} is there; now make it drive its program. Its tests: npm test -- ${folder}\n`)
