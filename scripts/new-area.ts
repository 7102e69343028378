import { finish, makeFolder, register } from './new-folder.ts'
import { areaFiles } from './templates/area.ts'
import { namesOf } from './templates/names.ts'
import { areaRegistration } from './templates/registrations.ts'

// npm run new-area NAME: a complete area whose tests pass, registered in src/app/areas.ts.
const names = namesOf(process.argv[2] ?? '')
const folder = `src/areas/${names.kebab}`
const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 12)

makeFolder(folder, areaFiles(names, stamp))
register('src/app/areas.ts', areaRegistration(names))
finish([folder, 'src/app/areas.ts'])
process.stdout.write(`${folder} is there; now make it what it is for. Its tests: npm test -- ${folder}\n`)
