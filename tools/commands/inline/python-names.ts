/** Names of Python that inline code may use: their values can't run, write, send or reach anything else. */

import {wordSet} from './tokens.ts';

export const keywords = wordSet(
  'and as assert break continue def elif else except False finally for from if import in is lambda None not or pass raise return True try while with del',
);

/** Keywords after which a value begins. */
export const beginners = wordSet(
  'and assert elif else except for from if import in is lambda not or raise return while with del as try finally',
);

export const callables = wordSet(
  'abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate filter float format frozenset hash hex id int isinstance issubclass iter len list map max min next oct ord pow print range repr reversed round set slice sorted str sum tuple zip exit quit Exception ValueError KeyError TypeError IndexError RuntimeError ArithmeticError ZeroDivisionError AssertionError StopIteration LookupError NameError AttributeError UnicodeDecodeError FileNotFoundError OSError ImportError ModuleNotFoundError',
);

/** The allowed members of each module; no others may be used. */
export const modules: Readonly<Record<string, ReadonlySet<string>>> = {
  sys: wordSet(
    'argv version version_info platform stdin stdin.read stdin.readline stdin.readlines stdin.buffer stdout.write stdout.flush stderr stderr.write maxsize prefix base_prefix exec_prefix executable byteorder exit getsizeof getrecursionlimit hexversion',
  ),
  json: wordSet('load loads dumps JSONDecodeError'),
  math: wordSet(
    'acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf exp exp2 expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan perm pi pow prod radians remainder sin sinh sqrt sumprod tan tanh tau trunc',
  ),
  re: wordSet(
    'compile findall finditer fullmatch match search split sub subn escape A I M S X U ASCII IGNORECASE MULTILINE DOTALL VERBOSE UNICODE',
  ),
  datetime: wordSet(
    'date datetime time timedelta timezone UTC datetime.now datetime.utcnow datetime.strptime datetime.fromisoformat datetime.fromtimestamp datetime.combine date.today date.fromisoformat timezone.utc MINYEAR MAXYEAR',
  ),
  time: wordSet(
    'time time_ns monotonic perf_counter strftime gmtime localtime ctime sleep process_time',
  ),
  collections: wordSet('Counter defaultdict OrderedDict deque ChainMap'),
  itertools: wordSet(
    'accumulate batched chain chain.from_iterable combinations combinations_with_replacement compress count cycle dropwhile filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest',
  ),
  functools: wordSet('reduce partial cmp_to_key lru_cache cache'),
  statistics: wordSet(
    'mean fmean median median_low median_high mode multimode stdev pstdev variance pvariance quantiles geometric_mean harmonic_mean',
  ),
  textwrap: wordSet('dedent fill indent shorten wrap'),
  string: wordSet(
    'ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits printable punctuation whitespace capwords',
  ),
  random: wordSet('choice choices randint random randrange sample seed shuffle uniform gauss'),
  secrets: wordSet('token_hex token_urlsafe token_bytes randbelow choice'),
  uuid: wordSet('uuid4 uuid5 NAMESPACE_DNS NAMESPACE_URL UUID'),
  decimal: wordSet('Decimal'),
  fractions: wordSet('Fraction'),
  operator: wordSet(
    'itemgetter add sub mul truediv floordiv mod neg eq ne lt le gt ge and_ or_ xor not_',
  ),
  platform: wordSet('python_version python_implementation system machine python_version_tuple'),
  calendar: wordSet('month isleap monthrange month_name day_name'),
  bisect: wordSet('bisect bisect_left bisect_right insort'),
  heapq: wordSet('heapify heappop heappush nlargest nsmallest heappushpop'),
  base64: wordSet('b64encode b64decode urlsafe_b64encode urlsafe_b64decode b32encode b32decode'),
  hashlib: wordSet('md5 sha1 sha256 sha512 sha224 sha384 blake2b'),
  unicodedata: wordSet('name category normalize east_asian_width'),
  pprint: wordSet('pprint pformat'),
  tomllib: wordSet('load loads'),
  csv: wordSet('reader DictReader'),
  copy: wordSet('copy deepcopy'),
  ast: wordSet('parse literal_eval dump unparse'),
  os: wordSet(
    'getcwd cpu_count sep linesep name getpid path.join path.basename path.dirname path.splitext path.split path.normpath path.abspath path.relpath path.sep',
  ),
  shutil: wordSet('which get_terminal_size'),
};

/** Methods of texts, numbers, lists, maps, dates, patterns and files opened for reading. */
export const methods = wordSet(`
  capitalize casefold center count decode encode endswith expandtabs find index isalnum isalpha isascii isdecimal isdigit
  isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition
  removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase
  title translate upper zfill append clear copy extend insert pop remove reverse sort get items keys popitem setdefault
  update values fromkeys add discard difference intersection isdisjoint issubset issuperset symmetric_difference union
  bit_length bit_count to_bytes from_bytes is_integer as_integer_ratio hex fromhex conjugate most_common elements total
  subtract appendleft popleft rotate group groups groupdict start end span match search fullmatch findall finditer sub subn
  read readline readlines close strftime isoformat date time timestamp weekday isoweekday isocalendar total_seconds
  timetuple astimezone utcoffset ctime strptime fromisoformat fromtimestamp now today combine hexdigest digest quantize
  from_iterable flush exists isfile isdir getsize islink listdir getenv
`);

/** Attributes that lead from a value to frames, code and classes. */
export function isForbidden(name: string): boolean {
  return (
    /^_./.test(name) ||
    /^(?:gi|cr|ag|tb|co|f|func|im)_/.test(name) ||
    /^(?:mro|format_map|modules|vformat|get_field|meta_path|path_hooks)$/.test(name)
  );
}

/** Built-in names: code may not bind them, as they would be ambiguous. */
export const taken = wordSet(`
  aiter anext apply breakpoint buffer classmethod compile copyright credits delattr dir eval exec execfile file getattr globals hasattr help input intern
  license locals memoryview object open property raw_input reload setattr staticmethod super type vars async await class
  global nonlocal yield
`);

/** Modules that the modules above may load, now or later: a file with such a name in the folder takes precedence over them. */
export const loaded = wordSet(`
  __future__ _strptime _pydecimal _pydatetime _colorize _pyrepl _opcode_metadata _weakrefset _collections_abc _compat_pickle
  _markupbase _sitebuiltins abc annotationlib argparse ast atexit base64 bdb bisect bz2 calendar cmd code codecs codeop
  collections compression contextlib contextvars copy copyreg csv dataclasses datetime decimal dis encodings enum errno
  fnmatch fractions functools genericpath gettext glob hashlib heapq hmac importlib inspect io ipaddress itertools json
  keyword linecache locale lzma marshal math ntpath numbers opcode operator os pathlib pdb pickle pkgutil platform posix
  posixpath pprint queue random re readline reprlib rlcompleter secrets select selectors shlex shutil signal site
  sitecustomize usercustomize sre_compile sre_constants sre_parse stat statistics string struct subprocess sys tempfile
  textwrap threading time timeit token tokenize tomllib traceback types typing unicodedata urllib uuid warnings weakref
  zipfile zipimport zlib zoneinfo math _bisect _random _json _datetime _decimal _statistics _struct _uuid _csv _hashlib
  _heapq _bz2 _lzma _opcode _posixsubprocess _socket _typing _zoneinfo
`);
