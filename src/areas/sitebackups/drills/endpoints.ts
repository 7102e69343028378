import { failures, local } from '../../../core/endpoint.ts'
import { superuser } from '../../../core/guard.ts'
import { accepted, data, list } from '../../../core/reply.ts'
import { ObjectDamaged, ObjectStoreFailed } from '../../../tools/s3/index.ts'
import { loadWebsite, WebsitePath } from '../../websites/index.ts'
import { endpoint } from '../context.ts'
import * as problems from '../problems.ts'
import { drilling } from './drilling.ts'
import { listDrills, listDrillStates, readDrillReport } from './drills.ts'
import { Drill, DrillDraft, DrillKey, DrillPath, DrillReport, DrillSettings, DrillState } from './model.ts'
import { changeDrillSettings, readDrillKey, readDrillSettings } from './settings.ts'

export const drillWebsiteBackup = endpoint({
  base: '/websites',
  params: WebsitePath,
  target: ({ params, caller, backups: { websites } }) => loadWebsite(websites, params.id, caller),
  method: 'POST',
  path: '/{id}/backups/drill',
  summary: 'Prove that the newest backup of a website restores, without touching the website',
  description:
    'It is restored into a scratch folder and a scratch database and compared with its manifest. The report is signed; the scratch is removed. Read the result from the drills.',
  effect: 'changes',
  category: 'websites',
  body: DrillDraft,
  reply: accepted(drilling),
  throws: failures({
    not_found: problems.BackupUnknown,
    passphrase_required: problems.PassphraseRequired,
    s3_error: [problems.S3Failed, ObjectStoreFailed, ObjectDamaged],
    already_running: problems.DrillingAlready,
  }),
  run: ({ target, body }) => ({ website_id: target.id, ...body }),
})

export const listDrillsOfWebsite = endpoint({
  base: '/websites',
  params: WebsitePath,
  target: ({ params, caller, backups: { websites } }) => loadWebsite(websites, params.id, caller),
  method: 'GET',
  path: '/{id}/backups/drills',
  summary: 'List the drills of a website, newest first',
  effect: 'reads',
  reply: list(Drill, { sort: ['-id'], search: [] }),
  run: ({ target, query, backups: on }) => listDrills(on, target, query),
})

export const getDrillReport = endpoint({
  base: '/websites',
  params: DrillPath,
  target: ({ params, caller, backups: { websites } }) => loadWebsite(websites, params.id, caller),
  method: 'GET',
  path: '/{id}/backups/drills/{drill_id}/report',
  summary: 'Read the signed report of a drill',
  effect: 'reads',
  reply: data(DrillReport),
  throws: { not_found: problems.DrillUnknown },
  run: ({ target, params, backups: on }) => readDrillReport(on, target, params.drill_id),
})

export const listBackupDrills = endpoint({
  method: 'GET',
  path: '/drills',
  summary: 'List websites with the age of their last proven restore: your own, or all for a superuser',
  effect: 'reads',
  reply: list(DrillState, { sort: ['domain'], search: ['domain'] }),
  run: ({ query, caller, now, backups: on }) => listDrillStates(on, query, { caller, now }),
})

export const getDrillKey = endpoint({
  method: 'GET',
  path: '/drills/key',
  summary: 'Read the public key that the reports of drills are signed with',
  effect: 'reads',
  reply: data(DrillKey),
  throws: { not_found: problems.DrillKeyMissing },
  run: ({ backups: on }) => readDrillKey(on),
})

export const getDrillSettings = endpoint({
  guard: superuser,
  method: 'GET',
  path: '/drills/settings',
  summary: 'Read when backups are proven, and how old a proof may be',
  effect: 'reads',
  reply: data(DrillSettings),
  run: ({ backups: on }) => readDrillSettings(on),
})

export const saveDrillSettings = endpoint({
  guard: superuser,
  method: 'POST',
  path: '/drills/settings',
  summary: 'Set when backups are proven, and how old a proof may be',
  effect: 'changes',
  category: local('each host proves the backups that it has'),
  body: DrillSettings,
  reply: data(DrillSettings),
  throws: { bad_request: problems.DrillSettingInvalid },
  run: ({ body, backups: on }) => changeDrillSettings(on, body),
})
