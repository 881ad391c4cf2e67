"""Filter graphs of ffmpeg: most filters change pictures and sounds only, some open files, and some listen for commands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.analysis.domain import ANY
from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from remit.analysis.commands.embedded import Program

BOUND = ("file.read", "file.write", "net.listen")  # all that a filter can do besides its work
_PURE = frozenset(
    """
    acompressor acontrast acopy acrossfade acrossover acrusher acue adeclick adeclip adelay adenorm aecho aeval aevalsrc afade afftdn afftfilt aformat
    agate alimiter allpass aloop alphaextract alphamerge amerge amix amplify amultiply anequalizer anlmdn anull anullsink anullsrc apad aperms aphaser
    aresample areverse aselect asetnsamples asetpts asetrate asettb ashowinfo asidedata asplit astats atadenoise atempo atrim atrimsilence avectorscope
    avgblur axcorrelate bandpass bandreject bass bbox bench bilateral biquad bitplanenoise blackdetect blackframe blend blurdetect bm3d boxblur bwdif cas channelmap
    channelsplit chorus chromahold chromakey chromanr chromashift ciescope codecview color colorbalance colorchannelmixer colorcontrast colorcorrect colorhold
    colorize colorkey colorlevels colormap colormatrix colorspace colorspectrum colortemperature compand compensationdelay concat convolution convolve copy crop
    cropdetect crossfeed crystalizer cue dblur dcshift deband deblock decimate deconvolve dedot deesser deflate deflicker dejudder delogo derain deshake despill
    detelecine dialoguenhance dilation displace drawbox drawgraph drawgrid drawtext drmeter dynaudnorm earwax ebur128 edgedetect elbg entropy epx eq equalizer
    erosion estdif exposure extractplanes extrastereo fade feedback fftdnoiz fftfilt field fieldhint fieldmatch fieldorder fillborders flanger floodfill format fps
    framepack framerate framestep freezedetect freezeframes fspp gblur geq gradfun gradients graphmonitor greyedge guided haas haldclut haldclutsrc hdcd headphone
    hflip highpass highshelf histeq histogram hqdn3d hqx hstack hsvhold hsvkey hue huesaturation hwdownload hwmap hwupload hysteresis identity idet il inflate
    interlace interleave join kerndeint kirsch lagfun lenscorrection life limiter loop loudnorm lowpass lowshelf lumakey lut lut2 lutrgb lutyuv mandelbrot
    psnr ssim maskedclamp maskedmax maskedmerge maskedmin maskedthreshold maskfun mcompand median mergeplanes mestimate midequalizer minterpolate mix monochrome morpho
    mpdecimate msad multiply negate nlmeans nnedi noformat noise normalize null nullsink nullsrc oscilloscope overlay owdenoise pad pal100bars palettegen
    paletteuse pan perms perspective phase photosensitivity pixdesctest pixelize pixscope postprocess pp pp7 premultiply prewitt pseudocolor pullup qp random readeia608
    readvitc realtime remap removegrain repeatfields replaygain reverse rgbashift rgbtestsrc roberts rotate rubberband sab scale scale2ref scdet scharr scroll segment select
    selectivecolor separatefields setdar setfield setparams setpts setrange setsar settb sharpness shear showcqt showcwt showfreqs showinfo showpalette
    showspatial showspectrum showspectrumpic showvolume showwaves showwavespic shuffleframes shufflepixels shuffleplanes sidechaincompress sidechaingate sidedata
    sierpinski signalstats silencedetect silenceremove sine smartblur smptebars smptehdbars sobel speechnorm split spp stereo3d stereotools stereowiden
    super2xsai superequalizer surround swaprect swapuv tblend telecine testsrc testsrc2 thistogram threshold thumbnail tile tiltshelf tinterlace tlut2 tmedian
    tmidequalizer tmix tonemap tpad transpose treble tremolo trim unpremultiply unsharp untile uspp v360 vaguedenoiser varblur vectorscope vflip vfrdet vibrance
    vibrato vif vignette virtualbass volume volumedetect vstack w3fdif waveform weave xbr xcorrelate xfade xmedian xstack yadif yaepblur yuvtestsrc zoompan zoneplate
    """.split()
)
_READERS = frozenset("amovie arnndn ass asendcmd lut1d lut3d movie sendcmd sofalizer subtitles".split())
_READ_OPTIONS = lazy_pattern(r"(?<!\w)(?:textfile|fontfile|fontsdir|psfile)\s*=")
_OTHER_FILES = lazy_pattern(r"(?:file(?:name)?|path|(?<!\w)f)\s*=")
_FILTER = lazy_pattern(r"(?:^|[,;\]])\s*([A-Za-z]\w*)")
_QUOTED = lazy_pattern(r"'[^']*'|\\.", re.DOTALL)


def read_filter_graph(program: Program) -> bool:
    """Report the files that filters open. A graph can do no more, so that none is ever not understood."""
    names = set(_FILTER.findall(_QUOTED.sub("", program.text)))
    others = not names <= _PURE | _READERS or _OTHER_FILES.search(_READ_OPTIONS.sub("", program.text))
    if others or names & _READERS or _READ_OPTIONS.search(program.text):
        program.effect("file.read", ANY)
    if others and not (names <= _PURE | _READERS and names & _READERS):
        program.effect("file.write", ANY)
    if any("zmq" in name for name in names):
        program.effect("net.listen", ANY)
    program.place(program.text)
    return True
