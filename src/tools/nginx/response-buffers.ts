/**
 * Renders the buffers of responses. The headers have to fit into the first one, which is 4 KiB by default: long cookies
 * and content policies of applications exceed that, and are answered with 502.
 */
export const responseBuffers = (module: 'fastcgi' | 'proxy'): readonly string[] => [
  `        ${module}_buffer_size 32k;`,
  `        ${module}_buffers 8 16k;`,
  `        ${module}_busy_buffers_size 64k;`,
]
