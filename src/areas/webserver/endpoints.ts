import { failures, local } from '../../core/endpoint.ts'
import { awaited, data } from '../../core/reply.ts'
import { notTaken } from '../../host/apply/problems.ts'
import { refusedByHost } from '../system/index.ts'
import { endpoint } from './context.ts'
import { Overwrite, WebServers, WebServerSwitch } from './model.ts'
import { AlreadyServing, NotSwitchable, SwitchFailed } from './problems.ts'
import { readWebServers as read } from './servers.ts'
import { switching } from './switch.ts'

export const readWebServers = endpoint({
  method: 'GET',
  path: '',
  summary: 'Read which web server serves the websites, and what each can',
  effect: 'reads',
  reply: data(WebServers),
  run: ({ webserver }) => read(webserver),
})

export const switchWebServer = endpoint({
  method: 'POST',
  path: '/switch',
  summary: 'Have another web server serve all websites',
  description:
    'Renders and checks every website for the other server, stops one and starts the other, and fetches every website before and afterwards. If one answers with another status, the former server serves again. New connections are refused for a moment.',
  effect: 'changes',
  category: local('the programs of this host'),
  query: Overwrite,
  body: WebServerSwitch,
  reply: awaited(switching, { status: 200, shape: 'data' }),
  throws: failures(
    {
      bad_request: AlreadyServing,
      conflict: NotSwitchable,
      switch_failed: SwitchFailed,
      config_failed: notTaken,
    },
    refusedByHost,
  ),
  run: ({ body, query }) => ({ ...body, ...query }),
})
