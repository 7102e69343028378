import { startStandIn } from '../../../src/tools/proxysql/testing/stand-in.ts'

// The program of the package that story/proxysql.ts makes: a ProxySQL that clients reach at port 6033.
const standIn = await startStandIn({ folder: '/var/lib/proxysql', proxyPort: 6033 })
process.on('SIGTERM', () => void standIn.stop().then(() => process.exit(0)))
