import { fileURLToPath } from 'node:url'
import { basename } from 'node:path'
import type { Plugin } from 'vite'
import { parseGuide } from './guide-markdown.ts'

const pictures = fileURLToPath(new URL('../docs/pictures/', import.meta.url))

/** Lets the web panel import the guides as parsed documents; the parser is not part of the bundle. */
export const guidePages = (): Plugin => ({
  name: 'guide-pages',
  enforce: 'pre',
  transform(source, id) {
    if (!id.endsWith('.md')) return null
    const guide = parseGuide(basename(id), source)
    const files = guide.blocks.flatMap((block) => (block.kind === 'picture' ? [block.file] : []))
    const imports = files.map(
      (file, index) => `import picture${index} from ${JSON.stringify(pictures + file)}\n`,
    )
    const urls = files.map((file, index) => `${JSON.stringify(file)}: picture${index}`)
    const code = `${imports.join('')}export default { ...${JSON.stringify(guide)}, pictures: { ${urls.join()} } }\n`
    return { code, map: null, moduleType: 'js' }
  },
})
