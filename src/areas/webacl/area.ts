import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { notifications } from '../notifications/index.ts'
import { belongings, users } from '../users/index.ts'
import { webserver } from '../webserver/index.ts'
import { websites } from '../websites/index.ts'
import { rulesOfDeleted } from './belongings.ts'
import { type Context, openWebacl } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { IpEntry, IpGroup } from './groups-model.ts'
import * as model from './model.ts'
import { noticesOfRules } from './notices.ts'
import { Replay, ReplayEvent, ReplayExample } from './replay/model.ts'
import { replaying } from './replay/work.ts'
import { Simulation } from './simulation-model.ts'
import { installing } from './script-module.ts'

const { Condition, ConditionDraft, Countries, Library, Pending, Rule, RuleDraft, Ruleset } = model

export const webacl = area({
  name: 'webacl',
  title: 'Web access control',
  base: '/webacl',
  guard: superuser,
  plugin: 'webacl',
  errors: 'coded',
  endpoints,
  schemas: {
    Condition,
    ConditionDraft,
    Countries,
    IpEntry,
    IpGroup,
    Library,
    Pending,
    Replay,
    ReplayEvent,
    ReplayExample,
    Rule,
    RuleDraft,
    Ruleset,
    Simulation,
  },
  jobs: [installing, replaying],
  uses: [notifications, users, webserver, websites],
  contributes: ({ webacl }: Context) => [
    contribution(belongings, (deletion) => rulesOfDeleted(webacl, deletion)),
    noticesOfRules(webacl),
  ],
  steps: ({ webacl }: Context) => [webacl.configs.write, webacl.replay],
  menu: { group: 'Security', path: '/webacl', order: 20 },
  needs: ['nginx'],
  open: (deps: Deps): Context => ({ webacl: openWebacl(deps) }),
})
