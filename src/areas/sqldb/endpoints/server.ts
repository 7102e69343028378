import { at, local } from '../../../core/endpoint.ts'
import { awaited, data } from '../../../core/reply.ts'
import { connectProblems } from '../../../host/connect/index.ts'
import { DiskFull } from '../../../host/files.ts'
import { InstallFailed } from '../../../host/packages.ts'
import { ServiceFailed } from '../../../host/services.ts'
import { serviceEndpoints } from '../../lifecycle.ts'
import { type Context, endpoint } from '../context.ts'
import { draftInstallation, installing, serverLock } from '../install.ts'
import { EngineChoice, SqldbStatus } from '../model.ts'
import * as status from '../status.ts'

const { NotAnswering, SqlRefused } = connectProblems
const throws = { service_failed: ServiceFailed }

export const install = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install the SQL server with the package manager of the host',
  description:
    'Enables and starts it, and gives root a random password, which is written to a file that only root can read. Root of the host still needs no password through the socket. A server that is installed keeps its data and its root password.',
  effect: 'changes',
  category: local('programs are installed on each host'),
  isLenient: true,
  body: EngineChoice,
  reply: awaited(installing, { status: 200, shape: 'flat' }),
  throws: { install_failed: at(500, InstallFailed, ServiceFailed, NotAnswering, SqlRefused, DiskFull) },
  run: ({ body }) => draftInstallation(body.type),
})

export const { readStatus, start, stop, restart } = serviceEndpoints(endpoint, {
  role: 'the SQL server',
  on: ({ sqldb }: Context) => sqldb,
  locks: [serverLock],
  status: {
    summary: 'Read whether the SQL server is installed and runs',
    reply: data(SqldbStatus),
    run: ({ sqldb }) => status.readStatus(sqldb),
  },
  switches: {
    start: { summary: 'Start the SQL server', throws },
    stop: { summary: 'Stop the SQL server', throws },
    restart: { summary: 'Restart the SQL server', throws },
  },
})
