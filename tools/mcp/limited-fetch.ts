/** The fetch of connections to servers: without a limit, an answer of any size would be kept in memory. */

/** Of one answer. A stream of events that is longer is opened again. */
const maxBytes = 32 * 1024 * 1024;

/** As `fetch`; reading the body fails once it is too large. */
export async function limitedFetch(input: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.body) return response;
  let size = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.length;
      if (size <= maxBytes) controller.enqueue(chunk);
      else controller.error(new Error(`its answer is larger than ${maxBytes} bytes`));
    },
  });
  const {status, statusText, headers} = response;
  const limited = new Response(response.body.pipeThrough(counter), {status, statusText, headers});
  Object.defineProperty(limited, 'url', {value: response.url});
  return limited;
}
