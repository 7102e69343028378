import { useSyncExternalStore } from 'react'
import { type Connection, connection, onConnection } from './connection.ts'
import { onSession, type Session, session } from './session.ts'

/** The sign-in state, for components. */
export const useSession = (): Session => useSyncExternalStore(onSession, session)

/** The state of the connection, for components. */
export const useConnection = (): Connection => useSyncExternalStore(onConnection, connection)
