import { local } from '../../../core/endpoint.ts'
import { awaited, data } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { DraftInvalid, EngineFailed, ImageUnavailable, NameTaken } from '../problems.ts'
import { showCatalog } from './catalog.ts'
import { draftAppLaunch, launchingApp } from './launch-app.ts'
import * as model from './model.ts'
import { AppUnknown } from './problems.ts'

export const readCatalog = endpoint({
  method: 'GET',
  path: '/catalog',
  summary: 'Read the catalog of apps and stacks, with generated secrets masked',
  effect: 'reads',
  reply: data(model.Catalog),
  run: () => showCatalog(),
})

export const launchApp = endpoint({
  method: 'POST',
  path: '/catalog/launch',
  summary: 'Launch an app of the catalog, and show the generated secrets once',
  description:
    'Pulls the image, creates the volumes and the container, and answers when its health check succeeds; a failure removes all of it. The container has the restart policy unless-stopped. The firewall of the panel accepts its published ports, but for those of loopback addresses.',
  effect: 'changes',
  action: 'docker_app_launch',
  category: local('each host has its own containers'),
  body: model.AppLaunch,
  reply: awaited(launchingApp, { status: 200, shape: 'data' }),
  throws: {
    bad_request: DraftInvalid,
    not_found: AppUnknown,
    name_taken: NameTaken,
    container_error: [EngineFailed, ImageUnavailable],
  },
  run: ({ body }) => draftAppLaunch(body),
})
