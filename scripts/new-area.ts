import { areas } from '../src/app/areas.ts'
import { menuGroups, mostEntries } from '../src/core/menu.ts'
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
const place = freePlace()

makeFolder(folder, form === '--rows' ? rowsAreaFiles(names, { stamp, place }) : toolAreaFiles(names, place))
register('src/app/areas.ts', areaRegistration(names))
finish([folder, 'src/app/areas.ts'])
process.stdout.write(`${folder} is there; now make it what it is for. Its tests: npm test -- ${folder}\n`)

/** The end of the first group of the menu that has room. */
function freePlace() {
  for (const group of menuGroups.filter((name) => name !== '')) {
    const orders = areas.flatMap(({ menu }) => (menu?.group === group ? [menu.order] : []))
    if (orders.length < mostEntries) return { group, order: Math.max(0, ...orders) + 10 }
  }
  throw new Error('each group of the menu is full')
}
