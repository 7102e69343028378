import { at, failures } from '../../core/endpoint.ts'
import { notTaken } from '../../host/apply/problems.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { DiskFull } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'
import { PeerFailed, PeerInvalid } from './problems.ts'

const { NotAnswering, ReplyTooLarge, SqlRefused } = connectProblems

/** Every reason why the server of this host does not do what was asked. */
export const ofServer = {
  sql_error: at(500, NotAnswering, SqlRefused, ReplyTooLarge),
  config_failed: at(500, ...notTaken, ServiceFailed),
  insufficient_storage: DiskFull,
}

/** The same, and why another panel does not. */
export const ofPeer = failures(ofServer, { peer_failed: PeerFailed, bad_request: PeerInvalid })
