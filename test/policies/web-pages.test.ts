import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { areas } from '../../src/app/areas.ts'
import { menuGroups, mostEntries } from '../../src/core/menu.ts'
import { root } from './sources.ts'

/**
 * The declarations of a `web/pages.ts`, read as text: importing it in Node would load the icons and the
 * pages.
 */
function declaredIn(path: string) {
  const text = readFileSync(`${root}${path}`, 'utf8')
  return {
    area: path.split('/')[2],
    hasIcon: /^ {2}icon: Icon\w+,$/m.test(text),
    guide: /^ {2}guide: '([\w-]+)',$/m.exec(text)?.[1],
    paths: [...text.matchAll(/'(\/[^']*)': async \(\) =>/g)].map(([, found]) => found),
  }
}

describe('the pages of the areas', () => {
  const declared = globSync('src/areas/*/web/pages.ts', { cwd: root }).map(declaredIn)

  test('are in the folders of declared areas, each at a path of its own', () => {
    for (const { area, paths } of declared) {
      assert.ok(paths.length > 0, `${area} declares no pages`)
      assert.ok(
        areas.some(({ name }) => name === area),
        `no area is named ${area}`,
      )
    }
    const all = declared.flatMap(({ paths }) => paths)
    assert.deepEqual(all, [...new Set(all)])
  })

  test('link to guides that exist', () => {
    for (const { area, guide } of declared)
      if (guide !== undefined)
        assert.ok(existsSync(`${root}docs/guides/${guide}.md`), `${area} names the guide ${guide}`)
  })

  test('are at most eight entries in each group of the menu, each at a place of its own', () => {
    const entries = areas.flatMap(({ menu }) => (menu ? [menu] : []))
    for (const group of menuGroups) {
      const orders = entries.filter((entry) => entry.group === group).map(({ order }) => order)
      assert.ok(orders.length <= mostEntries, `the group ${group} has ${orders.length} entries`)
      assert.deepEqual(orders, [...new Set(orders)], `two entries of ${group} have one order`)
    }
  })

  for (const { name, menu } of areas)
    if (menu !== undefined)
      test(`include the page that the menu opens for ${name}, and its icon`, () => {
        const own = declared.find(({ area }) => area === name)
        assert.ok(own, `src/areas/${name}/web/pages.ts is missing`)
        assert.ok(own.paths.includes(menu.path), `src/areas/${name}/web/pages.ts has no page ${menu.path}`)
        assert.ok(own.hasIcon, `src/areas/${name}/web/pages.ts names no icon`)
      })
})
