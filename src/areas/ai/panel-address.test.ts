import assert from 'node:assert/strict'
import { test } from 'node:test'
import { panelAddress } from './panel-address.ts'

test('the assistant reaches the panel where it listens, over loopback where that is possible', () => {
  const cases = [
    [{ host: '127.0.0.1', port: '7070', tls: 'auto' }, 'http://127.0.0.1:7070/api/mcp'],
    [{ host: '0.0.0.0', port: '8443', tls: 'auto' }, 'https://127.0.0.1:8443/api/mcp'],
    [{ host: '::', port: '8443', tls: 'off' }, 'http://127.0.0.1:8443/api/mcp'],
    [{ host: '192.0.2.7', port: '7070', tls: 'auto' }, 'https://192.0.2.7:7070/api/mcp'],
    [{ host: '::1', port: '7070', tls: 'on' }, 'https://[::1]:7070/api/mcp'],
  ] as const
  for (const [running, url] of cases) assert.equal(panelAddress(running).mcpUrl, url)
})
