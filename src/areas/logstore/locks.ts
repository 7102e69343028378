import { programLock } from '../../tools/program.ts'

/** An installation, a removal and the sources exclude one another: all of them write files of rsyslog. */
export const logstoreLock = programLock('opensearch')
