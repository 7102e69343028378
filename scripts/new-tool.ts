import { finish, makeFolder, register } from './new-folder.ts'
import { namesOf } from './templates/names.ts'
import { toolRegistration } from './templates/registrations.ts'
import { toolFiles } from './templates/tool.ts'

// npm run new-tool NAME: a tool that finds its program, registered in src/tools/index.ts.
const names = namesOf(process.argv[2] ?? '')
const folder = `src/tools/${names.kebab}`

makeFolder(folder, toolFiles(names))
register('src/tools/index.ts', toolRegistration(names))
finish([folder, 'src/tools/index.ts'])
process.stdout.write(`${folder} is there; now make it drive its program. Its tests: npm test -- ${folder}\n`)
