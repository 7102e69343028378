import { parseArgs } from 'node:util'
import { finish, makeFolder, register } from './new-folder.ts'
import { apiToolFiles } from './templates/api-tool.ts'
import { namesOf } from './templates/names.ts'
import { toolRegistration } from './templates/registrations.ts'
import { toolFiles } from './templates/tool.ts'

// npm run new-tool -- [--api] NAME: a tool that finds its program, registered in src/tools/index.ts; with --api, it is driven through HTTP.
const { values, positionals } = parseArgs({ options: { api: { type: 'boolean' } }, allowPositionals: true })
const names = namesOf(positionals[0] ?? '')
const folder = `src/tools/${names.kebab}`

makeFolder(folder, values.api === true ? apiToolFiles(names) : toolFiles(names))
register('src/tools/index.ts', toolRegistration(names))
finish([folder, 'src/tools/index.ts'])
process.stdout.write(`${folder} is there; now make it drive its program. Its tests: npm test -- ${folder}\n`)
