import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { areas } from '../../app/areas.ts'
import { routesOf } from '../routes.ts'
import { curatedTools } from './curated.ts'
import { routesOfTool, toolsOf } from './tools.ts'

const routes = routesOf(areas.map((area) => ({ area, context: {} })))
const tools = toolsOf(routes)
const described = (name: string): any => tools.find((tool) => tool.description.name === name)?.description

describe('the tools', () => {
  it('each belong to a declared endpoint', () => {
    assert.deepEqual(
      curatedTools.filter((tool) => routesOfTool(tool, routes).length === 0),
      [],
    )
  })

  it('take the arguments of their paths, all required', () => {
    for (const { name, path } of curatedTools) {
      const { properties, required = [] } = described(name).inputSchema
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      assert.deepEqual([Object.keys(properties), required], [inPath, inPath], name)
    }
  })

  it('have titles and hints of their endpoints', () => {
    for (const tool of curatedTools.filter(({ name }) => name !== 'service_action')) {
      const [route] = routesOfTool(tool, routes)
      const { title, annotations } = described(tool.name)
      if (route) assert.equal(title, route.endpoint.summary)
      assert.deepEqual(annotations, {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      })
    }
    assert.equal(described('service_action').annotations.readOnlyHint, false)
    assert.equal(described('api_call').annotations.destructiveHint, true)
    assert.equal(described('list_endpoints').annotations.readOnlyHint, true)
  })

  it('offer the verbs of services that are declared', () => {
    const { properties } = described('service_action').inputSchema
    assert.deepEqual(properties.action.enum, ['disable', 'enable', 'reload', 'restart', 'start', 'stop'])
  })

  it('have schemas without keywords of the panel', () => {
    assert.ok(!/"(?:expects|x-[a-z]+)"/.test(JSON.stringify(tools.map(({ description }) => description))))
  })
})
