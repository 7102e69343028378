import { finish, makeFolder, register } from './new-folder.ts'
import { namesOf } from './templates/names.ts'
import { toolFiles } from './templates/tool.ts'

// npm run new-tool NAME: a tool that finds its program, registered in src/tools/index.ts.
const names = namesOf(process.argv[2] ?? '')
const { kebab, camel, pascal } = names
const folder = `src/tools/${kebab}`

makeFolder(folder, toolFiles(names))
register('src/tools/index.ts', [
  { at: /^/, text: `import { open${pascal}, type ${pascal} } from './${kebab}/index.ts'\n` },
  { at: /export interface Tools \{\n/, text: `  readonly ${camel}: ${pascal}\n` },
  { at: /export function openTools\([^\n]*\{\n/, text: `  const ${camel} = open${pascal}(host.run)\n` },
  { at: /\n {2}return \{\n/, text: `    ${camel},\n` },
  {
    at: /\n {4}programs: \[\n/,
    text: `      programOf(host, { name: '${kebab}', packages: ['${kebab}'], detect: ${camel}.detect, setUp: async () => {} }),\n`,
  },
])
finish([folder, 'src/tools/index.ts'])
process.stdout.write(`${folder} is there; now make it drive its program. Its tests: npm test -- ${folder}\n`)
