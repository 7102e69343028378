import Type, { type Static } from 'typebox'
import { Optional, Text } from '../../../core/schemas.ts'
import { work } from '../context.ts'
import { readPorts } from '../ports.ts'
import { appOf } from './catalog.ts'
import { drawFor, drawnParts, launchChange, openedBy, secretsOf } from './launch.ts'
import { planApp } from './launch-plan.ts'
import { type AppLaunch, LaunchedApp } from './model.ts'

const AppLaunchInput = Type.Object({
  app_id: Text(40),
  ports: Optional(Type.Array(Text(100), { maxItems: 20 })),
  ...drawnParts,
})

/** Returns the input of the launch of an app: its token and its secrets are drawn once for each request. */
export function draftAppLaunch({
  app_id,
  name,
  ports,
}: Static<typeof AppLaunch>): Static<typeof AppLaunchInput> {
  const app = appOf(app_id)
  readPorts(ports)
  return { app_id, name: name ?? app_id, ...(ports && { ports }), ...drawFor(app.env) }
}

/** Launches an app of the catalog as one container, and waits until it is healthy. */
export const launchingApp = work({
  kind: 'containers.launch-app',
  lane: 'network',
  input: AppLaunchInput,
  reply: LaunchedApp,
  timeoutMs: 3_600_000,
  attempts: 1,
  resumes: false,
  decide: ({ input: { app_id, name, ports, token, secrets }, containers }) => {
    const app = appOf(app_id)
    const plan = planApp(app, { name, secrets: secretsOf(secrets), ports: { [app_id]: ports } })
    return launchChange(containers, {
      summary: `Launch ${app.name} as ${name}`,
      plan,
      token,
      reply: ([launched]) => ({
        id: launched!.id,
        name,
        opened_ports: openedBy(plan),
        credentials: plan.containers.flatMap(({ credentials }) => credentials),
        ports: launched!.ports,
      }),
    })
  },
})
