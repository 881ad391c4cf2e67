"""The third-party summaries: they read well, they cover what skills import, and they promise nothing false."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from each_row import each_row
from remit.analysis.summaries.check import problems
from remit.analysis.summaries.library import Library
from remit.analysis.summaries.model import Entry, Section
from remit.analysis.summaries.parser import parse
from remit.core.capability import vocabulary
from remit.core.errors import DataError, RemitError
from remit.core.scope.parse import parse_scope

FOLDER = Path(str(resources.files("remit.analysis") / "data" / "python"))

# Imported by skills in the wild, most used first.
PACKAGES = """
    requests numpy pandas pytest yaml torch PIL dotenv matplotlib httpx boto3 botocore google cryptography scipy datasets
    transformers nibabel defusedxml typer rich openai urllib3 scapy lxml sklearn playwright pypdf PyPDF2 bs4 azure pptx
    fastapi anthropic uvicorn huggingface_hub psutil openpyxl cv2 pydantic websockets flask web3 dateutil fitz pymupdf
    seaborn markitdown litellm reportlab click neo4j docx jinja2 aiohttp tqdm selenium toml tomli pdfplumber pdf2image
    pytesseract imageio networkx plotly statsmodels sympy pyarrow polars duckdb sqlalchemy psycopg2 pymongo redis
    paramiko git github slack_sdk tweepy telegram discord stripe twilio elasticsearch qdrant_client chromadb langchain
    langchain_core langchain_community langchain_openai langgraph sentence_transformers tiktoken nltk spacy gensim
    xgboost lightgbm rdkit Bio scanpy anndata pydicom astropy pymatgen geopandas shapely folium streamlit gradio mcp
    loguru structlog tabulate colorama termcolor attr attrs msgpack orjson simplejson ujson jsonschema chardet certifi
    packaging setuptools pip wheel six yfinance ccxt feedparser trafilatura html2text markdown markdownify pyperclip
    pyautogui mss keyring sounddevice pyaudio speech_recognition whisper moviepy pydub ffmpeg qrcode barcode icalendar
    caldav exchangelib docker kubernetes fabric invoke sh plumbum pexpect watchdog schedule apscheduler celery numba
    cffi Cython warp pxr manim eth_account solders websocket jwt torchvision mpl_toolkits
""".split()

# What must be reported, whatever the arguments: member, and a capability or kind of effect among its lines.
EFFECTFUL = {
    "requests.get": "web.fetch",
    "requests.post": "web.post",
    "requests.sessions.Session.delete": "web.post",
    "requests.sessions.Session.send": "web.post",
    "httpx.AsyncClient.post": "web.post",
    "httpx.Client.stream": "web.post",
    "aiohttp.ClientSession.get": "web.fetch",
    "urllib3.PoolManager.request": "web.post",
    "numpy.save": "file.write",
    "numpy.load": "code",
    "numpy.ndarray.tofile": "file.write",
    "pandas.read_csv": "web.fetch",
    "pandas.read_pickle": "code",
    "pandas.DataFrame.to_csv": "file.write",
    "pandas.Series.to_json": "file.write",
    "pandas.DataFrame.query": "code",
    "pandas.DataFrame.to_clipboard": "clipboard.write",
    "yaml.unsafe_load": "code",
    "yaml.Loader.__init__": "code",
    "torch.load": "code",
    "torch.hub.load": "opaque",
    "torch.save": "file.write",
    "joblib.load": "code",
    "PIL.Image.Image.save": "file.write",
    "PIL.ImageGrab.grab": "screen.capture",
    "matplotlib.pyplot.savefig": "file.write",
    "matplotlib.figure.Figure.savefig": "file.write",
    "dotenv.load_dotenv": "secret.read",
    "boto3.client": "api.call",
    "botocore.client.BaseClient.upload_file": "file.read",
    "botocore.client.BaseClient.download_file": "file.write",
    "openai.OpenAI.__init__": "api.call",
    "anthropic.Anthropic.__init__": "api.call",
    "google.genai.Client.__init__": "api.call",
    "transformers._Auto.from_pretrained": "opaque",
    "datasets.load_dataset": "web.fetch",
    "huggingface_hub.HfApi.upload_folder": "publish",
    "huggingface_hub.HfApi.delete_repo": "publish",
    "huggingface_hub.HfApi.update_repo_visibility": "publish",
    "playwright._Value.goto": "web.fetch",
    "playwright._Value.launch": "process.create",
    "playwright._Value.screenshot": "file.write",
    "selenium.webdriver.Chrome.get": "web.fetch",
    "psutil.Process.kill": "process.kill",
    "psutil.Popen": "argv",
    "cv2.VideoCapture": "camera.capture",
    "openpyxl.workbook.workbook.Workbook.save": "file.write",
    "pypdf.PdfWriter.write": "file.write",
    "docx.document.Document.save": "file.write",
    "fitz.Document.save": "file.write",
    "reportlab.pdfgen.canvas.Canvas.__init__": "file.write",
    "flask.Flask.run": "net.listen",
    "uvicorn.run": "net.listen",
    "websockets.connect": "net.connect",
    "paramiko.SSHClient.connect": "net.connect",
    "paramiko.SSHClient.exec_command": "shell.execute",
    "git.Repo.clone_from": "file.write",
    "docker.from_env": "container.run",
    "pyperclip.paste": "clipboard.read",
    "pyautogui.click": "screen.interact",
    "pynput.keyboard.Listener": "input.access",
    "keyring.get_password": "secret.read",
    "sounddevice.rec": "microphone.record",
    "moviepy._Clip.write_videofile": "process.create",
    "stripe._Resource.create": "pay",
    "slack_sdk.WebClient.chat_postMessage": "message.send",
    "invoke.run": "sh",
    "pexpect.run": "sh",
    "pytest.main": "argv",
    "pip.main": "package.install",
    "click.edit": "process.create",
    "scapy.all.send": "net.connect",
    "streamlit.write_stream": "calls",
    "boltons.fileutils.mkdir_p": "file.write",
    "qutip.qload": "code",
    "patsy.dmatrix": "code",
    "bioframe.to_bigbed": "process.create",
    "umap.load_ParametricUMAP": "code",
    "pennylane.data.load": "web.fetch",
    "lmfit.model.load_model": "code",
    "deap.gp.compile": "code",
    "email_validator.deliverability.validate_email_deliverability": "net.connect",
    "pypfopt._Value.save_weights_to_file": "file.write",
    "skopt.load": "code",
    "flax.io.rmtree": "file.delete",
    "sktime._Value.load_from_path": "code",
    "sympy.parse_expr": "code",
    "sympy.simplify": "code",
    "sympy._Singleton.__call__": "code",
    "statsmodels.formula.api.ols": "code",
    "statsmodels.tsa.api.x13_arima_analysis": "process.create",
    "matplotlib.font_manager.json_dump": "file.write",
    "sklearn.tree.export_graphviz": "file.write",
    "onnx.save_tensor": "file.write",
    "onnx.shape_inference.infer_shapes_path": "file.write",
    "aiohttp.CookieJar.load": "code",
    "click.echo_via_pager": "process.create",
    "transformers._Auto.save_pretrained": "file.write",
    "transformers._Media.__call__": "file.read",
    "transformers.image_utils.load_image": "web.fetch",
    "transformers.modeling_utils.load_state_dict": "code",
    "dask.bag.from_url": "web.fetch",
    "dask.config.ensure_file": "file.write",
    "rdkit.Chem.AllChem.SDWriter": "file.write",
    "rdkit.Chem.rdmolfiles.SDMolSupplier": "file.read",
    "pymatgen.command_line.bader_caller": "opaque",
    "shap._Value.load": "code",
    "torchvision.datasets.CIFAR10": "code",
    "Bio.SeqIO.FastaIO.FastaIterator": "file.read",
    "Bio._Value.weblogo": "web.post",
    "polars.Config.save_to_file": "file.write",
    "zarr.storage.LocalStore": "file.delete",
    "sentence_transformers.SentenceTransformer.save_to_hub": "publish",
    "wandb._Run.checkout": "file.delete",
    "ortools._Value.export_to_file": "file.write",
    "numcodecs.Pickle": "code",
    "bioservices.services.REST.__init__": "web.fetch",
    "bioservices.services.REST.save_pathway": "file.write",
    "cuopt._Value.set_parameter": "file.write",
    "cuopt.routing.utils.create_from_file": "file.read",
    "ete3.TreeNode.render": "file.write",
    "gget.alphafold": "opaque",
    "gget.blast": "web.post",
    "spikeinterface.load": "code",
    "spikeinterface.sorters.run_sorter": "opaque",
    "tdc.Oracle": "opaque",
    "timesfm._Model.from_pretrained": "web.fetch",
    "usdex.core.saveLayer": "file.write",
    "accelerate.utils.save": "file.write",
    "fpdf.FPDF.write_html": "web.fetch",
    "huggingface_hub.utils.run_subprocess": "argv",
    "nltk.data.load": "code",
    "plotly.io.get_chrome": "web.fetch",
    "plotly.io.write_images": "file.write",
    "scanpy._Settings.__setattr__": "file.write",
    "sklearn.pipeline.Pipeline": "code",
    "yt_dlp.utils.Popen": "argv",
}

# What was put into them comes out again, with all that it can do.
CARRIERS = """
    toolz.first cytoolz.first more_itertools.first sortedcontainers.SortedList bidict.bidict frozendict.frozendict immutables.Map
    pyrsistent.pvector multidict.MultiDict cattrs.structure simpy.Store
""".split()

# Everyday calls that must not be opaque and have no effect.
PURE = """
    numpy.array numpy.mean numpy.float32 numpy.linalg.norm numpy.random.default_rng numpy.random.Generator.normal
    numpy.ndarray.reshape pandas.concat pandas.to_datetime pandas.DataFrame.head pandas.DataFrame.columns
    pandas.Series.value_counts yaml.safe_load yaml.safe_dump yaml.YAMLError torch.zeros torch.no_grad torch.nn.Linear
    torch.Tensor.to torch.cuda.is_available PIL.Image.new PIL.Image.Image.resize PIL.ImageDraw.ImageDraw.text
    matplotlib.pyplot.subplots matplotlib.pyplot.close matplotlib.axes.Axes.plot requests.models.Response.json
    requests.models.Response.raise_for_status requests.exceptions.RequestException httpx.Response.json
    httpx.HTTPStatusError defusedxml.minidom.parseString bs4.BeautifulSoup.find_all lxml.etree.fromstring typer.echo
    click.echo rich.console.Console.print rich.table.Table.add_row pypdf.PdfReader.pages pypdf.PdfWriter.add_page
    openpyxl._Item.cell docx.document.Document.add_paragraph pptx._Item.text_frame tqdm.trange dateutil.parser.parse
    cryptography.fernet.Fernet.encrypt scipy.stats.ttest_ind sklearn.preprocessing.StandardScaler networkx.shortest_path
    tabulate.tabulate jinja2.Template.render jsonschema.validate tomli.loads pydantic.BaseModel.model_dump
    psutil.cpu_percent warp.zeros colorama.Fore sympy.symbols sympy.latex sympy.Matrix shapely.Point pennylane.qnode simpy.Environment
    qutip.basis pyproj.Transformer pymc.Model pingouin.anova umap.UMAP albumentations.Compose cvxpy.Variable hdbscan.HDBSCAN
    imblearn.over_sampling.SMOTE lifelines.KaplanMeierFitter pint.Quantity faker.Faker holidays.US pycountry.countries
    einops.rearrange sqlglot.parse_one deepdiff.DeepDiff babel.dates.format_date wcwidth.wcswidth humanize.naturalsize
    ortools.sat.python.cp_model.CpModel sksurv.ensemble.RandomSurvivalForest mpmath.mp dateparser.parse
    cuopt.linear_programming.problem.INTEGER ete3.TextFace spikeinterface.preprocessing.bandpass_filter timesfm.ForecastConfig
""".split()


@pytest.fixture(scope="module")
def library() -> Library:
    """One library for all questions."""
    return Library("python")


def member(library: Library, name: str) -> Entry | Section | None:
    """What a dotted name is."""
    section = library.section(name)
    if section is not None:
        return section
    owner, _, last = name.rpartition(".")
    library.module(owner)  # a submodule of a closed module is made when it is asked for
    return library.member(owner, last)


def effects(entry: Entry | Section | None) -> set[str]:
    """The capabilities and kinds of an entry's lines."""
    assert isinstance(entry, Entry)
    return {effect.text if effect.kind == "cap" else effect.kind for effect in entry.effects}


def test_every_package_that_skills_import_is_described(library: Library) -> None:
    assert [package for package in PACKAGES if library.module(package) is None] == []


def test_a_private_module_is_not_closed_by_its_package(library: Library) -> None:
    assert library.module("plotly.io.templates") is not None
    assert library.module("plotly.io._html") is None


def test_an_unknown_package_is_not_described(library: Library) -> None:
    assert library.module("no_such_package") is None


def test_dangerous_members_are_reported(library: Library) -> None:
    assert [name for name, expected in EFFECTFUL.items() if expected not in effects(member(library, name))] == []


@each_row("name", PURE)
def test_everyday_members_are_neither_opaque_nor_effectful(library: Library, name: str) -> None:
    found = member(library, name)
    assert found is not None
    if isinstance(found, Entry):
        assert effects(found) <= {"calls"}


@each_row(
    "name", ["numpy.os", "numpy.f2py.compile", "requests.os", "fitz.os", "sklearn.os", "psutil.subprocess", "torch.os"]
)
def test_what_is_not_listed_is_not_promised(library: Library, name: str) -> None:
    assert member(library, name) is None


@each_row("name", CARRIERS)
def test_collections_give_back_anything(library: Library, name: str) -> None:
    found = member(library, name)
    assert isinstance(found, Entry)
    assert found.result is not None
    assert found.result.op == "any"


def test_every_summary_can_be_read() -> None:
    for path in FOLDER.glob("*.sum"):
        assert parse(path.read_text(encoding="utf-8"), path.name)


def test_files_in_the_temporary_folder_are_named_and_not_the_folder() -> None:
    """The scope of a folder does not cover what is made in it."""
    bare = re.compile(r"file\.(?:read|write|delete)\(<temp>\)")
    assert not [path.name for path in FOLDER.glob("*.sum") if bare.search(path.read_text(encoding="utf-8"))]


FIXED = re.compile(r"\b([a-z]+\.[a-z]+|pay|publish)\('([^']*)'")


def unsayable(folder: Path) -> list[str]:
    """Effects whose fixed scope means nothing for their capability: the report could not print them."""
    kinds = {capability.name: capability.scope_kind for capability in vocabulary()}
    bad = []
    for path in folder.glob("*.sum"):
        for name, scope in FIXED.findall(path.read_text(encoding="utf-8")):
            if kinds.get(name, "host") != "host":
                try:
                    parse_scope(kinds[name], scope)
                except RemitError as error:
                    bad.append(f"{path.name}: {name}: {error}")
    return bad


def test_fixed_scopes_can_be_said() -> None:
    assert unsayable(FOLDER) + unsayable(FOLDER.parent / "node") == []


def test_a_scope_of_another_kind_is_found(tmp_path: Path) -> None:
    (tmp_path / "wrong.sum").write_text("[module wrong]\nbuy() : pay('https://example.com')\n", encoding="utf-8")
    assert len(unsayable(tmp_path)) == 1


def test_the_most_used_summaries_name_only_what_exists() -> None:
    found = [line for package in PACKAGES[:60] for line in problems(FOLDER / f"{package}.sum")]
    assert found == []


@each_row(
    "line",
    [
        "get(url) : web.fech(url) -> data",
        "get(url) : web.fetch(url -> data",
        "get(url) -> requests.NoSuchClass",
        "same a = b",
    ],
)
def test_a_broken_summary_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "broken.sum"
    path.write_text(f"[module broken]\n{line}\n", encoding="utf-8")
    try:
        assert problems(path)
    except DataError as error:
        pytest.fail(f"reported by exception, not as a problem: {error}")
