import type { Engine } from './engine.ts'
import { type LogWanted, readLog } from './log.ts'
import {
  EngineInfo,
  EngineVersion,
  Inspected,
  InspectedImage,
  type ListedContainer,
  ListedContainers,
  type ListedImage,
  ListedImages,
  ListedVolumes,
} from './shapes.ts'
import { readSample } from './stats.ts'

/** Binds the questions to an engine. */
export function verbsOf(engine: Engine) {
  const get = (path: string) => ({ method: 'GET', path }) as const
  return {
    /** True if the engine answers. */
    isAnswering: (): Promise<boolean> =>
      engine.read(EngineVersion, get('/version')).then(
        () => true,
        () => false,
      ),
    readVersion: () => engine.read(EngineVersion, get('/version')),
    readInfo: () => engine.read(EngineInfo, get('/info')),
    /** Lists the containers, running or not. */
    listContainers: (): Promise<readonly ListedContainer[]> =>
      engine.read(ListedContainers, get('/containers/json?all=1')),
    /** Lists the images that have a name or containers. */
    listImages: (): Promise<readonly ListedImage[]> => engine.read(ListedImages, get('/images/json')),
    /** Finds a container by its id or name. */
    findContainer: (id: string): Promise<Inspected | undefined> =>
      engine.find(Inspected, `/containers/${encodeURIComponent(id)}/json`),
    /** Names the volumes, or those with a label, written as `name=value`. */
    listVolumes: async (label?: string): Promise<readonly string[]> => {
      const query =
        label === undefined ? '' : `?${new URLSearchParams({ filters: JSON.stringify({ label: [label] }) })}`
      const { Volumes } = await engine.read(ListedVolumes, get(`/volumes${query}`))
      return (Volumes ?? []).map(({ Name }) => Name)
    },
    /** Yields the lines that a container printed. */
    readLog: (id: string, wanted: LogWanted) => readLog(engine, id, wanted),
    /** Reads what a running container has used. */
    readSample: (id: string) => readSample(engine, id),
    findImage: (name: string): Promise<InspectedImage | undefined> =>
      engine.find(InspectedImage, `/images/${encodeURIComponent(name)}/json`),
  }
}
