import { areas } from '../src/app/areas.ts'
import { finish, makeFolder, register } from './new-folder.ts'
import { rowsAreaFiles } from './templates/area.ts'
import { namesOf } from './templates/names.ts'
import { areaRegistration } from './templates/registrations.ts'
import { toolAreaFiles } from './templates/tool-area.ts'

// npm run new-area -- --rows NAME: an area over a table of its own. npm run new-area -- --tool NAME: an area over the tool of this
// name. Its tests pass, and it is registered in src/app/areas.ts.
const [form, name = ''] = process.argv.slice(2)
if (form !== '--rows' && form !== '--tool') throw new Error('new-area --rows NAME, or new-area --tool NAME')
const names = namesOf(name)
const folder = `src/areas/${names.kebab}`
const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 12)
const taken = areas.flatMap(({ menu }) => (menu?.group === 'Hosting' ? [menu.order] : []))
const order = Math.max(0, ...taken) + 10 // after the entries that the group of the templates has

makeFolder(folder, form === '--rows' ? rowsAreaFiles(names, { stamp, order }) : toolAreaFiles(names, order))
register('src/app/areas.ts', areaRegistration(names))
finish([folder, 'src/app/areas.ts'])
process.stdout.write(`${folder} is there; now make it what it is for. Its tests: npm test -- ${folder}\n`)
