import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFiles } from './files.ts'
import { run } from './run.ts'
import { openServices } from './services.ts'

test('reads the services of this machine', async (context) => {
  const services = openServices(run, openFiles('/'))
  const found = await services.detect()
  if (!found.present) return context.skip(found.reason ?? undefined)
  assert.ok((await services.list()).every((each) => each.name !== '' && each.state !== ''))
})
