import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { auth } from '../auth/index.ts'
import type { Deps } from '../deps.ts'
import { notifications } from '../notifications/index.ts'
import { belongings, users } from '../users/index.ts'
import { type Context, openMcp } from './context.ts'
import * as endpoints from './endpoints.ts'
import { keysOfDeleted } from './keys.ts'
import { createMcpKeys } from './migrations/202611280010-mcp-keys.ts'
import { createMcpBudgets } from './migrations/202611290200-mcp-budgets.ts'
import * as model from './model.ts'
import { noticesOfPlans } from './notices.ts'
import { pruneApprovals, runApproved } from './run-approved.ts'

export const mcp = area({
  name: 'mcp',
  title: 'MCP server',
  base: '/mcp-keys',
  bases: ['/mcp'],
  guard: superuser,
  plugin: 'mcp',
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [runApproved, pruneApprovals],
  migrations: [createMcpKeys, createMcpBudgets],
  entries: { mcp_tool_called: 'Tool called by an agent' },
  steps: ({ mcp }: Context) => [mcp.certificate.replace],
  menu: { group: 'Agents', path: '/mcp', order: 10 },
  uses: [users, auth, notifications],
  contributes: ({ mcp }: Context) => [
    contribution(belongings, (deletion) => keysOfDeleted(mcp, deletion)),
    noticesOfPlans(mcp),
  ],
  open: (deps: Deps): Context => ({ mcp: openMcp(deps) }),
})
